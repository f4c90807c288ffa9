"""Routes of people, keys and workspaces."""

from django.urls import path

from metronix.api.auth import Login, WhoAmI
from metronix.api.keys import UserKey, UserKeys
from metronix.api.users import OneUser, UserPassword, Users
from metronix.api.workspaces import OneWorkspace, Workspaces

urlpatterns = [
    path("auth/login", Login.as_view()),
    path("auth/me", WhoAmI.as_view()),
    path("users", Users.as_view()),
    path("users/<str:user_id>", OneUser.as_view()),
    path("users/<str:user_id>/password", UserPassword.as_view()),
    path("users/<str:user_id>/api-keys", UserKeys.as_view()),
    path("users/<str:user_id>/api-keys/<str:key_id>", UserKey.as_view()),
    path("workspaces", Workspaces.as_view()),
    path("workspaces/<str:workspace_id>", OneWorkspace.as_view()),
]

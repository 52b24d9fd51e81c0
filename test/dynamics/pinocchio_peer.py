"""Pinocchio's free-flyer model of a URDF as an oracle; mimic joints by virtual work."""

import numpy as np
import pinocchio as pin


class PinocchioPeer:
    """
    The same robot in Pinocchio, fed our base vectors at the identity pose.

    Parameters
    ----------
    urdf : str
        Text of the description.
    model : RobotModel
        Ours: gives names, order and couplings.
    """

    def __init__(self, urdf, model):
        self.ours = model
        self.theirs = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
        self.data = self.theirs.createData()
        names = [body.joint.name for body in model.bodies]
        self.joints = [self.theirs.joints[self.theirs.getJointId(name)] for name in names]
        # joint rates (and free-flyer's) from coordinates
        self.coupling = np.zeros((self.theirs.nv, model.nv))
        for body, joint in zip(model.bodies, self.joints):
            self.coupling[joint.idx_v, body.coordinate] = body.multiplier

    def position(self, q):
        """Return the configuration vector of Pinocchio for our coordinates."""
        position = pin.neutral(self.theirs)
        for body, joint in zip(self.ours.bodies, self.joints):
            value = body.multiplier * q[body.coordinate] + body.offset
            if joint.nq == 2:
                position[joint.idx_q:joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                position[joint.idx_q] = value
        return position

    def torque_and_wrench(self, q, qd, qdd, base):
        """Return our coordinates' generalised forces, and the wrench of the robot on the deck."""
        self.theirs.gravity.linear = np.asarray(base.gravity)
        velocity, acceleration = self.coupling @ qd, self.coupling @ qdd
        velocity[3:6] = base.angular_velocity
        acceleration[:6] = np.concatenate([base.linear_acceleration, base.angular_acceleration])
        tau = pin.rnea(self.theirs, self.data, self.position(q), velocity, acceleration)
        return self.coupling.T @ tau, -tau[:6]

    def mass_matrix(self, q):
        """Return the mass matrix of our coordinates."""
        upper = np.triu(pin.crba(self.theirs, self.data, self.position(q)))
        full = upper + np.triu(upper, 1).T
        return self.coupling.T @ full @ self.coupling
